/** The browser saves the file or asks for a place, depending on its settings. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The URL is revoked later, because the browser starts to read the file only after this function
  // has returned.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
