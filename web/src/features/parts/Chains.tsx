/** Approval chains: stages of approvers, asked one after another. */
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type PaletteGroup, usePalette } from "../../api/definitions";
import { useChain, useChains, usePutChain } from "../../api/parts";
import { titledDefinitions } from "../../builder/schemaWords";
import type { Schema } from "../../forms/schema";
import { isObject, type JsonObject } from "../../json/json";
import { Loaded } from "../../ui/Loaded";
import { When } from "../../ui/When";
import { PartDrawer } from "./PartDrawer";
import { PartList } from "./PartList";

export interface PartsProps {
  open: string | undefined;
  onOpen: (name: string | undefined) => void;
}

export function Chains({ open, onOpen }: PartsProps) {
  const { t } = useTranslation();
  const query = useChains();
  const palette = usePalette();
  return (
    <Loaded query={query} lines={4}>
      {(chains) => (
        <>
          <PartList
            label={t("parts.chains")}
            columns={[t("parts.description"), t("parts.created")]}
            items={chains.filter(({ archived_at }) => archived_at === null).map((chain) => ({ name: chain.name, cells: [chain.description || "—", <When key="at" at={chain.created_at} />] }))}
            needs="processes:publish"
            add={t("parts.new_chain")}
            empty={t("parts.no_chains")}
            onOpen={onOpen}
          />
          {open !== undefined && palette.data && <ChainDrawer key={open} name={open} palette={palette.data} onClose={() => onOpen(undefined)} />}
        </>
      )}
    </Loaded>
  );
}

function ChainDrawer({ name, palette, onClose }: { name: string; palette: readonly PaletteGroup[]; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useChain(name);
  const save = usePutChain();
  const words = useMemo(() => ({ description: t("parts.description"), stages: t("parts.stages"), stage: t("parts.stage"), condition: t("parts.condition") }), [t]);
  const schema = useMemo(() => chainSchema(palette, words, t), [palette, words, t]);
  if (name !== "" && !query.data) return null;
  const initial: JsonObject = query.data ? { description: query.data.info.description, stages: query.data.stages.map((stage) => clean(stage)) } : { description: "", stages: [] };
  return <PartDrawer kind="chain" name={name} title={name || t("parts.new_chain")} schema={schema} initial={initial} needs="processes:publish" place={() => null} save={save} onClose={onClose} />;
}

/** A stage asks as an approval step does, so its form is taken from that step's. */
function chainSchema(palette: readonly PaletteGroup[], words: Record<"description" | "stages" | "stage" | "condition", string>, t: TFunction): Schema {
  const approval = palette.flatMap(({ entries }) => entries).find(({ type }) => type === "approval")?.schema as JsonObject | undefined;
  const known = isObject(approval?.properties) ? approval.properties : {};
  const taken = Object.fromEntries(["approvers", "required", "due_after", "escalate_after", "escalate_to"].flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]] as const])));
  return {
    type: "object",
    properties: {
      description: { type: "string", title: words.description },
      stages: {
        type: "array",
        title: words.stages,
        minItems: 1,
        items: { type: "object", properties: { name: { type: "string", title: words.stage }, ...taken, condition: { type: "string", title: words.condition } }, required: ["name", "approvers"] },
      },
    },
    required: ["stages"],
    ...(isObject(approval?.$defs) && { $defs: titledDefinitions(approval.$defs, t) }),
  };
}

/** Without what is not said: an empty field is none. */
const clean = (stage: object): JsonObject => Object.fromEntries(Object.entries(stage).filter(([, each]) => each !== null));
