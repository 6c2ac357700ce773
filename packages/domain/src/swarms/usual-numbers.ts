/** The number of sessions on each target and the longest conversation (default: 3 and 8). */
export const usualNumbers = { sessionsPerTarget: 3, maxTurns: 8 } as const;
