/** A request as a person writes it, the tool that answers it (or `none`), and the arguments it states. */
export type LabelledPrompt = readonly [
  request: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
];

/**
 * Two halves: one to work with, one to report. Every second prompt of each list is held out, so both halves ask for
 * every kind of call. Whoever changes the model looks at the first half alone.
 */
export function halfOf(
  prompts: readonly LabelledPrompt[],
  half: 'workedWith' | 'heldOut',
): readonly LabelledPrompt[] {
  return prompts.filter((_, index) => index % 2 === (half === 'heldOut' ? 1 : 0));
}
