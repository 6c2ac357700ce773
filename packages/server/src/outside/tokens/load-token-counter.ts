/**
 * Loads the o200k_base tokenizer at the first count, since loading takes about 0.2 s and 60 MB.
 * Commands that count tokens without a service import this file.
 */
import type { CountTokens } from '@proofmark/domain';

let loading: Promise<CountTokens> | undefined;
let loaded: CountTokens | undefined;

export function loadTokenCounter(): Promise<CountTokens> {
  loading ??= import('./count-o200k-tokens.ts').then(({ countO200kTokens }) => {
    loaded = countO200kTokens;
    return loaded;
  });
  return loading;
}

/** For synchronous callers; undefined until the first load has ended. */
export function loadedTokenCounter(): CountTokens | undefined {
  return loaded;
}
