export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/(?!\n)[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
