/**
 * The tokenizer o200k_base. Loading it takes about 0.2 s and 60 MB, so it is loaded when tokens are
 * counted for the first time. The entry of the package for commands that count without a service.
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

/** For code that cannot wait; undefined until the first load has ended. */
export function loadedTokenCounter(): CountTokens | undefined {
  return loaded;
}
