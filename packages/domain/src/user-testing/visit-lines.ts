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

/**
 * An update of an answer that is still being written: it replaces the text from `at` on. The
 * complete text follows in a separate line; only that line is stored.
 */
export interface TextPiece {
  readonly type: 'text_piece';
  readonly at: number;
  readonly text: string;
}

export function textPiece(before: string, after: string): TextPiece {
  const at = after.startsWith(before) ? before.length : 0;
  return { type: 'text_piece', at, text: after.slice(at) };
}
