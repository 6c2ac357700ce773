/**
 * The tokenizer o200k_base. Loading it takes about 0.2 s and 60 MB, so it is loaded when a command
 * or an operation first counts tokens.
 */
import type { CountTokens } from '@proofmark/domain';

let loading: Promise<CountTokens> | undefined;

export function loadTokenCounter(): Promise<CountTokens> {
  loading ??= import('./count-o200k-tokens.ts').then(({ countO200kTokens }) => countO200kTokens);
  return loading;
}
