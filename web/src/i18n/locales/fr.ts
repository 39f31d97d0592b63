/** All words of this language, one file an area. */
import { words } from "../words";

export default words(import.meta.glob("./fr/*.json", { eager: true, import: "default" }));
