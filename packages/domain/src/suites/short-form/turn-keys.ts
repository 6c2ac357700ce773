export const turnKeys = [
  'ask',
  'call',
  'calls',
  'never',
  'returns',
  'fails',
  'says',
  'then',
] as const;
export type TurnKey = (typeof turnKeys)[number];

/** The keys that need a model, which a server contract does not have. */
export const modelTurnKeys: readonly TurnKey[] = ['ask', 'calls', 'never', 'says'];

export function isTurnKey(key: string): key is TurnKey {
  return (turnKeys as readonly string[]).includes(key);
}
