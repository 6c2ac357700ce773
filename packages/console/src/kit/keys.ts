/** Whether a key press is meant for the page, not for a text field, a dialog or the browser. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false;
  return document.querySelector('dialog[open]') === null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const inText = target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select');
  return inText || target.isContentEditable;
}
