export const usualNumbers = { sessionsPerTarget: 3, maxTurns: 8 } as const;
