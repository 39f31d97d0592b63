/** Which messages each language lacks; the console shows them in English. Fails when there are any. `npm run words` */
import process from "node:process";
import { runnerImport } from "vite";

const { module: catalogue } = await runnerImport("./src/i18n/catalogue.ts", { configFile: false, logLevel: "error" });
const english = catalogue.read("en");

for (const language of catalogue.languages()) {
  const missing = catalogue.missing(language, english);
  console.log(`${language}  ${missing.length === 0 ? "complete" : `${missing.length} missing`}`);
  for (const key of missing) console.log(`    ${key}: ${english.get(key) ?? english.get(`${catalogue.base(key)}_other`) ?? ""}`);
  if (missing.length > 0) process.exitCode = 1;
}
