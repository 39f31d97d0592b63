/** An answer whose JSON is read without losing a digit, for a client that only knows `Response`. */
import { parse } from "../json/json";

class ExactResponse extends Response {
  override async json(): Promise<unknown> {
    return parse(await this.text());
  }
}

/** The same answer, read exactly; an empty one is left as it is. */
export function exactly(response: Response): Response {
  if (response.body === null) return response;
  const headers = new Headers(response.headers);
  // The client asks `json()` only where it sees a length, and parses the text itself, inexactly, where it does not. The body
  // was decoded on the way, so its length on the wire would be wrong in any case.
  headers.set("Content-Length", headers.get("Content-Length") ?? "unknown");
  return new ExactResponse(response.body, { status: response.status, statusText: response.statusText, headers });
}
