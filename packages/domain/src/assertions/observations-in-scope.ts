import type { RenderObservation, Transcript } from './transcript.ts';

/** Returns the widget observations of one tool, or of every tool if none is named. */
export function observationsInScope(
  transcript: Transcript,
  toolName: string | undefined,
): readonly RenderObservation[] {
  const all = transcript.renderObservations ?? [];
  return toolName === undefined ? all : all.filter((one) => one.toolName === toolName);
}
