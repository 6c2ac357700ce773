/** Which tools held for writing the sessions of a journey may call, and calls that a policy refused in a session. */
export const journeyPolicy = /* sql */ `
  -- JSON: names of tools; null where no such policy is stated.
  alter table journeys add column allow_writes text;
  -- JSON: servers and tools; null where no call was refused.
  alter table swarm_sessions add column refused_calls text;
`;
