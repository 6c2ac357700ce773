import {
  ask,
  expectSunny,
  expectWeather,
  sunny,
  weatherOfRome,
  whole,
} from '@proofmark/harness/stage-row.ts';
import type { Line, ModelLine } from './lines.ts';
import type { SituationCase } from './situation.ts';

export { ask, expectSunny, expectWeather, sunny, weatherOfRome, whole };

/**
 * A case that asks for the weather in Rome. It requires that call, and an answer that contains
 * "sunny".
 */
export function weatherCase(
  says: readonly Line[] = [weatherOfRome, sunny],
  more: object = {},
): SituationCase {
  return { title: 'Weather', steps: whole, says, ...more };
}

export function promptCase(
  prompt: string,
  assertions: readonly object[],
  says: readonly Line[],
  more: object = {},
): SituationCase {
  const steps = [
    { id: 'ask', kind: 'prompt', prompt },
    ...assertions.map((assertion, index) => ({ id: `check-${index}`, kind: 'assert', assertion })),
  ];
  return { title: 'Asked', steps, says, ...more };
}

export function calls(...made: readonly (readonly [tool: string, input: unknown])[]): ModelLine {
  return { calls: made.map(([tool, input]) => ({ tool, input })) };
}

export const contains = (needle: string) => ({ type: 'responseContains', needle });
export const called = (toolName: string) => ({ type: 'toolCalledAtLeastOnce', toolName });
export const calledWith = (toolName: string, args: object) => ({
  type: 'toolCalledWith',
  toolName,
  args: { args },
});
