/** Hands a file to the browser, which asks or saves as its owner has set it. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by the next turn, not before.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
