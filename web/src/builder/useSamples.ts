/** Past documents to try something on, by what people call them and where each stands. */
import { useMemo } from "react";
import { useContract, useDocuments } from "../api/documents";
import type { Document } from "../api/types";
import { contractOf, stateTitle } from "../features/documents/contract";
import { useValueWords } from "../features/documents/Values";
import { headlineOf } from "../features/documents/values";
import type { JsonObject } from "../json/json";

const SAMPLES = 20;

export function useSamples(entityType: string): { samples: readonly Document[]; titleOf: (document: Document) => string } {
  const words = useValueWords();
  const info = useContract(entityType);
  const contract = useMemo(() => info && contractOf(info), [info]);
  const past = useDocuments({ type: entityType }, false);
  const samples = (past.data?.pages ?? []).flatMap(({ items }) => items).slice(0, SAMPLES);
  const titleOf = ({ id, data, doc_status }: Document) => `${headlineOf(contract?.schema ?? {}, data as JsonObject, words).name ?? id.slice(-8)} · ${stateTitle(contract, doc_status)}`;
  return { samples, titleOf };
}
