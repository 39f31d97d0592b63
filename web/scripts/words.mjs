/**
 * Which messages each language lacks, and which it says as English does; the console shows both in English. Fails when there are
 * any. `npm run words`
 */
import process from "node:process";
import { runnerImport } from "vite";

const load = async (file) => (await runnerImport(`./src/i18n/${file}`, { configFile: false, logLevel: "error" })).module;
const [catalogue, { EQUAL, EVERYWHERE }] = await Promise.all([load("catalogue.ts"), load("equal.ts")]);
const english = catalogue.read("en");

for (const language of catalogue.languages()) {
  const missing = catalogue.missing(language, english);
  const allowed = [...EVERYWHERE, ...(EQUAL[language] ?? [])];
  const same = language === "en" ? [] : catalogue.sameAsEnglish(language, english).filter((text) => !allowed.includes(text));
  const whole = missing.length === 0 && same.length === 0;
  console.log(`${language}  ${whole ? "complete" : `${missing.length} missing, ${same.length} as in English`}`);
  for (const key of missing) console.log(`    ${key}: ${english.get(key) ?? english.get(`${catalogue.base(key)}_other`) ?? ""}`);
  for (const text of same) console.log(`    the same in English: ${text}`);
  if (!whole) process.exitCode = 1;
}
