/** The edit that made a request void: a further version of its document, or an amendment, which is a document of its own. */
import { useDocument } from "../../api/documents";
import type { DocumentVersion, RequestDetail } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { actorName } from "../audit/actor";
import { voidingVersion } from "./story";

export interface Voiding {
  by: string;
  at: string;
  data: JsonObject;
  /** The document that stands in its place, if it is another. */
  document: string | null;
}

export function useVoiding(versions: readonly DocumentVersion[], request: RequestDetail["request"] | undefined): Voiding | undefined {
  const voided = request?.status === "voided";
  const version = voided ? voidingVersion(versions, request) : undefined;
  const old = useDocument(voided && !version ? (request.document_id ?? undefined) : undefined);
  const newer = useDocument(old.data?.amended_to_id ?? undefined);
  if (version) return { by: actorName(version.created_by).name, at: version.created_at, data: version.data as JsonObject, document: null };
  if (!newer.data) return undefined;
  return { by: actorName(newer.data.created_by).name, at: newer.data.created_at, data: newer.data.data as JsonObject, document: newer.data.id };
}
