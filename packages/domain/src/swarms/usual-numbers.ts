/** The defaults for the number of sessions on each target and for the turns of a conversation. */
export const usualNumbers = { sessionsPerTarget: 3, maxTurns: 8 } as const;
