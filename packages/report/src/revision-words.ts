/** What is told of the revisions of MCP that a server speaks, and of tools that clients must hide. */
import type { ExcludedTool, RevisionProblem, RevisionState } from '@proofmark/domain';

export const revisionStateWords: Readonly<Record<RevisionState, string>> = {
  spoken: 'spoken',
  refused: 'refused',
  broken: 'broken',
};

/** Names the rule last, for people who look it up. Method and message may come from a server. */
export function revisionProblemText({ rule, method, message }: RevisionProblem): string {
  return `${method}: ${message} (${rule})`;
}

export const whyExcluded =
  'Excluded: over HTTP at revision 2026-07-28, clients must hide these tools, so no model gets them.';

export function excludedToolText({ toolName, message, path }: ExcludedTool): string {
  return `${toolName}: ${message} (${path})`;
}
