/** What an API key may be used for. It never may more than the person it acts as. */
export const keyScopes = ['full', 'run-only', 'read-only'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** What a call brings about: nothing, a run or results of one, or anything else. */
export const operationEffects = ['reads', 'runs', 'writes'] as const;
export type OperationEffect = (typeof operationEffects)[number];

export function scopeAllows(scope: KeyScope, effect: OperationEffect): boolean {
  if (scope === 'full' || effect === 'reads') return true;
  return scope === 'run-only' && effect === 'runs';
}

/** Text that comes with a launch can have any tool called, of any server it names, which is as good as any change. */
export function mayLaunchOwnText(scope: KeyScope): boolean {
  return scopeAllows(scope, 'writes');
}

export const keyScopeWords: Readonly<Record<KeyScope, string>> = {
  full: 'everything you may do',
  'run-only': 'reading, launching runs of saved suites, cancelling runs, reporting results',
  'read-only': 'reading alone',
};

/** A key that outlives a decade is one that never expires, and should say so. */
export const longestKeyDays = 3650;
