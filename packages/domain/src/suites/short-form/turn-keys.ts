/** The keys of a turn in the short form of a suite file, in the order in which they are written. */
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

/** The keys that need a model, which a server contract does not ask. */
export const modelTurnKeys: readonly TurnKey[] = ['ask', 'calls', 'never', 'says'];

export function isTurnKey(key: string): key is TurnKey {
  return (turnKeys as readonly string[]).includes(key);
}
