/** The uses of an API key. A key never allows more than its person may do. */
export const keyScopes = ['full', 'run-only', 'read-only'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The effect of a call: none, a run or results of a run, or any other change. */
export const operationEffects = ['reads', 'runs', 'writes'] as const;
export type OperationEffect = (typeof operationEffects)[number];

export function scopeAllows(scope: KeyScope, effect: OperationEffect): boolean {
  if (scope === 'full' || effect === 'reads') return true;
  return scope === 'run-only' && effect === 'runs';
}

/**
 * Whether a key may launch a run with its own text. Such text can make the run call any tool of any
 * server that it names, so it needs the right to write.
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
 * The longest lifetime of a key, in days. A key for more than ten years should be created without
 * an expiry.
 */
export const longestKeyDays = 3650;
