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
