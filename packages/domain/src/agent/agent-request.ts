/** What one turn of the agent is given. Sizes are those of the text in UTF-8, which is what others count too. */
export const agentRoles = ['user', 'assistant'] as const;

export interface AgentMessage {
  readonly role: (typeof agentRoles)[number];
  readonly content: string;
}

export const agentBounds = {
  messages: 50,
  contentBytes: 8_192,
  allContentBytes: 98_304,
  /** Answers of a model in one turn. */
  steps: 16,
  /** That a model may ask for in one answer; each may read a page of the project. */
  callsPerStep: 100,
  /** Of one result, as it is shown to the model. */
  resultCharacters: 24_000,
  /** Of all results of a turn; every further answer of the model is paid with all of them. */
  turnCharacters: 384_000,
  /** That one turn makes. */
  suites: 5,
  turnMs: 90_000,
  /** Of an organization, in all processes together. */
  turnsAtOnce: 4,
  /** Longer than a turn, so that a slot outlives no turn that goes on. */
  slotMs: 100_000,
} as const;

export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else bytes += code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What the agent asks where nobody has asked it for anything. */
export const askWhatIsWanted = 'What would you like me to look up, or which suite shall I create?';
