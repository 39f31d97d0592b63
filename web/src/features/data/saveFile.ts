/** Gives a file to the person in front of the browser. */
export function saveFile(parts: BlobPart[], name: string, type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replaceAll(/[^\w.-]+/g, "_");
  link.click();
  // The browser takes it over after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
