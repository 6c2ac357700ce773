import type { RenderObservation, Transcript } from './transcript.ts';

export function observationsInScope(
  transcript: Transcript,
  toolName: string | undefined,
): readonly RenderObservation[] {
  const all = transcript.renderObservations ?? [];
  return toolName === undefined ? all : all.filter((one) => one.toolName === toolName);
}
