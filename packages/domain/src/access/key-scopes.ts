/** Permitted uses of an API key. A key never allows more than its owner may do. */
export const keyScopes = ['full', 'run-only', 'read-only'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Effects of a call: it only reads, it starts or reports a run, or it changes anything else. */
export const operationEffects = ['reads', 'runs', 'writes'] as const;
export type OperationEffect = (typeof operationEffects)[number];

export function scopeAllows(scope: KeyScope, effect: OperationEffect): boolean {
  if (scope === 'full' || effect === 'reads') return true;
  return scope === 'run-only' && effect === 'runs';
}

/**
 * Whether a key may launch a run with prompts written by the key's user. Such a prompt can make the
 * run call any tool of the run's servers, so it requires the right to write.
 */
export function mayLaunchOwnText(scope: KeyScope): boolean {
  return scopeAllows(scope, 'writes');
}

export const keyScopeWords: Readonly<Record<KeyScope, string>> = {
  full: 'everything you may do',
  'run-only': 'reading, launching runs of saved suites, cancelling runs, reporting results',
  'read-only': 'reading alone',
};

/**
 * Maximum lifetime of a key in days: ten years. A key for longer should be created without an
 * expiry.
 */
export const longestKeyDays = 3650;
