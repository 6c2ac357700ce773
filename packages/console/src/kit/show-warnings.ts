import { cleanText, count } from '@proofmark/domain';
import { notify } from './notice.tsx';

export function showWarnings(warnings: readonly { readonly message: string }[]): void {
  const [first, ...others] = warnings;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` And ${count(others.length, 'other warning')}.`;
  notify(`The run has started. ${cleanText(first.message, false)}${more}`);
}
