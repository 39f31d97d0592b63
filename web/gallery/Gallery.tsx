/** Numbers, forms, lists and canvas, each in the states that look different. */
import { Card, Container, Group, Stack, Table, Text, Title, Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Problem } from "../src/api/problem";
import { compiledOf } from "../src/canvas/compiled";
import { graphOf } from "../src/canvas/graph";
import { largeWorkflow } from "../src/canvas/large.fixture";
import text from "../src/canvas/invoice.fixture.json?raw";
import { LazyCanvas } from "../src/canvas/LazyCanvas";
import { NodeDetails } from "../src/canvas/NodeDetails";
import { overlayOf } from "../src/canvas/overlay";
import type { Place } from "../src/forms/context";
import type { Schema } from "../src/forms/schema";
import { SchemaForm } from "../src/forms/SchemaForm";
import { useSchemaForm } from "../src/forms/useSchemaForm";
import { changes } from "../src/json/diff";
import { isNumber, numberOf, textOf } from "../src/json/exact";
import { formatMoney, formatNumber } from "../src/json/format";
import { type Json, parse } from "../src/json/json";
import { NewRows, useSteadyRows } from "../src/live/SteadyList";

export function Gallery() {
  return (
    <Container component="main" size="lg" py="xl">
      <Stack gap="xl">
        <div>
          <Title order={1}>Gallery</Title>
          <Text c="dimmed">The parts that every further screen is made of.</Text>
        </div>
        <Section title="Canvas">
          <Canvases />
        </Section>
        <Section title="Numbers">
          <Numbers />
        </Section>
        <Section title="A form from a schema">
          <Form />
        </Section>
        <Section title="Rows that stay">
          <Rows />
        </Section>
      </Stack>
    </Container>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card component="section" aria-label={title}>
      <Title order={2} mb="md">
        {title}
      </Title>
      {children}
    </Card>
  );
}

const AMOUNTS = ["12500.10", "0.100000000000000001", "12345678901234567890", "-3", "1E-30"].map(numberOf);
const [BEFORE, AFTER] = ['{"amount": 9900.00, "lines": [{"price": 0.100000000000000001}]}', '{"amount": 12500.10, "lines": [{"price": 0.100000000000000002}]}'].map(parse);

function Numbers() {
  return (
    <Stack>
      <Table.ScrollContainer minWidth={320}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>as sent</Table.Th>
              <Table.Th ta="right">shown</Table.Th>
              <Table.Th ta="right">as money</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {AMOUNTS.map((amount) => (
              <Table.Tr key={textOf(amount)}>
                <Table.Td>
                  <code>{textOf(amount)}</code>
                </Table.Td>
                <Table.Td ta="right">{formatNumber(amount)}</Table.Td>
                <Table.Td ta="right">{formatMoney(amount, "EUR")}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {changes(BEFORE, AFTER).map(({ pointer, before, after }) => (
        <Text key={pointer} size="sm">
          <code>{pointer}</code>: {isNumber(before) && formatNumber(before)} → {isNumber(after) && formatNumber(after)}
        </Text>
      ))}
    </Stack>
  );
}

const SCHEMA = parse(`{
  "type": "object", "required": ["number", "total", "lines"],
  "properties": {
    "number": {"type": "string", "title": "Number", "description": "As it is printed on the invoice.", "pattern": "^I-[0-9]{4}$"},
    "vendor": {"type": "string", "title": "Vendor", "x-suggest": "vendors"},
    "total": {"type": "number", "title": "Total", "x-widget": "money", "x-currency-field": "currency", "minimum": 0.01},
    "currency": {"enum": ["EUR", "NOK", "USD"], "title": "Currency"},
    "due": {"type": "string", "format": "date", "title": "Due"},
    "received_at": {"type": "string", "format": "date-time", "title": "Received"},
    "urgent": {"type": "boolean", "title": "Urgent", "description": "It is asked for before everything else."},
    "copies": {"type": "integer", "title": "Copies", "minimum": 1},
    "note": {"type": "string", "title": "Note", "x-widget": "multiline"},
    "address": {"type": "object", "title": "Address", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}},
    "lines": {"type": "array", "title": "Lines", "minItems": 1, "items": {"type": "object", "required": ["sku"], "properties": {"sku": {"type": "string", "title": "SKU"}, "price": {"type": "number", "title": "Price", "x-currency": "EUR"}}}},
    "tags": {"type": "array", "title": "Tags", "items": {"type": "string"}},
    "payment": {"title": "Payment", "oneOf": [
      {"title": "By bank", "type": "object", "required": ["kind", "iban"], "properties": {"kind": {"const": "bank"}, "iban": {"type": "string", "title": "IBAN"}}},
      {"title": "By card", "type": "object", "required": ["kind"], "properties": {"kind": {"const": "card"}, "last_digits": {"type": "string"}}}
    ]},
    "extra": {"title": "Anything else"}
  }
}`) as Schema;
const INVOICE: Json = parse(
  '{"number": "I-0031", "vendor": "Fjord Textiles", "total": 12500.10, "currency": "EUR", "due": "2026-12-01", "received_at": "2026-11-17T08:30:00Z", "lines": [{"sku": "wool", "price": 0.100000000000000001}, {"sku": "linen", "price": 12.50}], "tags": ["autumn"], "payment": {"kind": "bank", "iban": "NO93 8601 1117 947"}, "extra": {"rate": 1.0}}',
);
const VENDORS = ["Fjord Textiles", "Nordlicht", "Sørensen & Datter", "Wollwerk"];

function Form() {
  const refuse = () =>
    Promise.reject(new Problem({ code: "invalid_document", status: 422, detail: "this is no invoice", errors: [{ field: "lines.1.sku", message: "there is no linen left" }] }));
  const form = useSchemaForm({ schema: SCHEMA, initial: INVOICE, draftKey: "gallery", onSubmit: refuse });
  const suggestionsFor = ({ field }: Place) => (field.schema["x-suggest"] ? suggestVendors : undefined);
  return <SchemaForm form={form} schema={SCHEMA} action="Save" suggestionsFor={suggestionsFor} />;
}

const suggestVendors = (typed: string) => Promise.resolve(VENDORS.filter((name) => name.toLowerCase().includes(typed.toLowerCase())));

const rowsUpTo = (last: number) => Array.from({ length: last - 27 }, (_, at) => `I-00${last - at}`);

function Rows() {
  const [last, setLast] = useState(31);
  const [fresh, setFresh] = useState(() => rowsUpTo(31));
  const rows = useSteadyRows(fresh, (row) => row, "all", false);
  return (
    <Stack gap="sm" align="flex-start">
      <Group>
        <Button
          variant="default"
          onClick={() => {
            setLast(last + 1);
            setFresh(rowsUpTo(last + 1));
          }}
        >
          One more arrives
        </Button>
        <NewRows count={rows.waiting.length} onShow={rows.renew} />
      </Group>
      {rows.shown.map((row) => (
        <Text key={row}>{row}</Text>
      ))}
    </Stack>
  );
}

const SLOT = "usr:slot:submitted_to_approved:";
const NO_WORKFLOW = largeWorkflow(1);
const WORKFLOW = graphOf(compiledOf(parse(text)) ?? NO_WORKFLOW);
const OVERLAY = overlayOf({
  tokens: [`${SLOT}finance`],
  steps: [
    ...["sys:start", "sys:state:draft", "usr:slot:draft_to_submit:complete", "sys:gate:submit", "sys:state:submitted", `${SLOT}large`, `${SLOT}split`].map((node_id) => ({
      node_id,
      status: "completed",
      chosen_edge_ids: WORKFLOW.edges.filter(({ source, kind, label }) => source === node_id && kind === "forward" && label !== "amended").map(({ id }) => id),
    })),
    { node_id: `${SLOT}budget`, status: "completed", chosen_edge_ids: [`${SLOT}budget[approved]->join`] },
    { node_id: `${SLOT}finance`, status: "waiting", chosen_edge_ids: null },
  ],
});

function Canvases() {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Stack>
      <LazyCanvas graph={WORKFLOW} label="Invoice workflow" overlay={OVERLAY} selected={open} onOpen={setOpen} height={420} />
      {open && <NodeDetails graph={WORKFLOW} id={open} />}
    </Stack>
  );
}
