import type { DraftedTurn } from './drafted-case.ts';
/**
 * Five voices for the same request. Each opener or follow-up is a separate sentence before the
 * request. It uses only common words, so that it changes neither the chosen tool nor its arguments.
 */
export const voiceNames = ['plain', 'terse', 'novice', 'thorough', 'expert'] as const;
export type VoiceName = (typeof voiceNames)[number];

export interface Voice {
  readonly openers: readonly [string, string, string];
  readonly followUps: readonly [string, string];
}

export const promptStyles: Readonly<Record<VoiceName, Voice>> = {
  plain: {
    openers: ['Hi, can you do this?', 'Please do this.', 'I would like this, please.'],
    followUps: ['Thanks, and now this.', 'And then this, please.'],
  },
  terse: {
    openers: ['Just this.', 'This, now.', 'Need this.'],
    followUps: ['Now this.', 'And this.'],
  },
  novice: {
    openers: [
      'Hello, I am not so up on this, could you do it?',
      'Hi, could you please do this with me?',
      'Hello, can you just do this, please?',
    ],
    followUps: ['Thank you. Could you also do this?', 'And can you do this with me?'],
  },
  thorough: {
    openers: [
      'Please do all of this, and just this.',
      'I need all of it, just as it is.',
      'I want this just like so, please.',
    ],
    followUps: ['Then I also need all of this.', 'And please, all of this.'],
  },
  expert: {
    openers: ['Use what you have.', 'I would just do it like this.', 'Just do as I will.'],
    followUps: ['Then this, as is.', 'With that, also this.'],
  },
};

/**
 * Adds an opener to the first turn and a follow-up line to each later turn. The voices alternate
 * from case to case.
 */
export function speakInVoice(turns: readonly DraftedTurn[], index: number): DraftedTurn[] {
  const voice = promptStyles[voiceNames[index % voiceNames.length] as VoiceName];
  const round = Math.floor(index / voiceNames.length);
  return turns.map((turn, place) => {
    const lines = place === 0 ? voice.openers : voice.followUps;
    return { ...turn, prompt: `${lines[(round + place) % lines.length]} ${turn.prompt}` };
  });
}
