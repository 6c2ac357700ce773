/** What a visitor is sent of a turn while it goes on, one line each. */
export type VisitLine =
  | { readonly type: 'turn_start'; readonly turnId: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly callId: string;
      readonly toolName: string;
      readonly serverName: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'approval_required';
      readonly approvalId: string;
      readonly callId: string;
      readonly argumentsHash: string;
      readonly expiresAt: number;
    }
  | {
      readonly type: 'tool_result';
      readonly callId: string;
      readonly isError: boolean;
      readonly text: string;
      /** What is not shown, by name and size. */
      readonly omitted?: readonly string[];
    }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'turn_finish'; readonly messageCount: number }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly details?: Readonly<Record<string, unknown>>;
    };

/** More of an answer that goes on: what stood from `at` on is replaced. The whole comes as a line of its own, and is what is kept. */
export interface TextPiece {
  readonly type: 'text_piece';
  readonly at: number;
  readonly text: string;
}

/** What makes the one text of the other. */
export function textPiece(before: string, after: string): TextPiece {
  const at = after.startsWith(before) ? before.length : 0;
  return { type: 'text_piece', at, text: after.slice(at) };
}
