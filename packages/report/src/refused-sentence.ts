import { count, join, type RefusedTool, type Sentence, say, theirs } from '@proofmark/domain';

const shownTools = 5;

export function refusedSentences(refused: readonly RefusedTool[] | undefined): Sentence[] {
  if (refused === undefined || refused.length === 0) return [];
  const isOneServer = new Set(refused.map(({ serverName }) => serverName)).size === 1;
  return [refusedSentence(refused, isOneServer)];
}

/** Returns undefined unless a policy rejected calls that may write. */
export function allowAction(refused: readonly RefusedTool[] | undefined): Sentence | undefined {
  if (refused?.some(({ by }) => by === 'allowWrites') !== true) return undefined;
  return say`Name the refused tools in allowWrites if they may write, or change the cases that call them.`;
}

function refusedSentence(refused: readonly RefusedTool[], isOneServer: boolean): Sentence {
  const named = refused.slice(0, shownTools).map(({ serverName, toolName, calls }) => {
    const server = isOneServer ? say`` : say` of ${theirs(serverName)}`;
    return say`${theirs(toolName)}${server} (${count(calls, 'call')})`;
  });
  const more = refused.length - named.length;
  const tools = more > 0 ? [...named, say`${count(more, 'more tool')}`] : named;
  const held = refused.filter(({ by }) => by === 'allowWrites').length;
  return say`Refused by policy: ${join(tools, ', ', ' and ')}${howToAllow(held, refused.length)}`;
}

function howToAllow(held: number, all: number): string {
  if (held === 0) return '.';
  if (held === all) return `; allow ${all === 1 ? 'it' : 'them'} with allowWrites.`;
  return '; allow those held for writing with allowWrites.';
}
