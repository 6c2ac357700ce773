/** How often a journey is played on each target, and how long a conversation may get, where nobody says more. */
export const usualNumbers = { sessionsPerTarget: 3, maxTurns: 8 } as const;
