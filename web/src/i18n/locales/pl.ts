/** All words of this language, one file an area. */
import { words } from "../words";

export default words(import.meta.glob("./pl/*.json", { eager: true, import: "default" }));
