/**
 * Lint rules for tool definitions: names, descriptions and schemas. Each rule has a fixed id, a
 * severity and a reason.
 *
 * - `error`: a model can hardly choose or call the tool.
 * - `warn`: models sometimes choose or call it wrongly.
 * - `info`: an improvement.
 *
 * If a missing text can be derived, the finding proposes it in `instead`.
 */
import type { OverlayTool } from './surface-overlay.ts';

export const lintRules = [
  'description-missing',
  'description-short',
  'description-long',
  'names-alike',
  'parameter-undescribed',
  'parameter-vague',
  'enum-undescribed',
  'required-missing',
  'schema-contradicts-text',
  'annotations-missing',
  'output-schema-missing',
  'description-unrelated',
  'tools-confused',
  'header-parameter-invalid',
  'list-order-unstable',
  'result-over-budget',
  'hidden-characters',
  'instructions-to-model',
  'shadows-tool',
  'destructive-unannotated',
  'secret-parameter',
] as const;
export type LintRule = (typeof lintRules)[number];

export const lintSeverities = ['error', 'warn', 'info'] as const;
export type LintSeverity = (typeof lintSeverities)[number];

export const lintThresholds = {
  shortDescription: 20,
  longDescription: 1024,
  /** The share of common words, from 0 to 1, from which two tools count as too similar. */
  namesAlike: 0.8,
  /**
   * A tool counts as confused if its description ranks another tool at least this many times as
   * high as the tool itself.
   */
  confusedShare: 1.25,
} as const;

interface RuleText {
  readonly severity: LintSeverity;
  readonly reason: string;
}

export const lintRuleTexts: Readonly<Record<LintRule, RuleText>> = {
  'description-missing': {
    severity: 'error',
    reason: 'A model chooses a tool by its description; without one only the name is left.',
  },
  'description-short': {
    severity: 'warn',
    reason: 'A description this short seldom says when to use this tool and when to use another.',
  },
  'description-long': {
    severity: 'info',
    reason: 'Every request includes the description, and its length hides what matters.',
  },
  'names-alike': {
    severity: 'warn',
    reason: 'A model that cannot tell two tools apart may call the wrong one.',
  },
  'parameter-undescribed': {
    severity: 'info',
    reason: 'A model fills in a parameter according to its description.',
  },
  'parameter-vague': {
    severity: 'warn',
    reason: 'Neither the name nor a description says which value the parameter needs.',
  },
  'enum-undescribed': {
    severity: 'info',
    reason: 'A model sees the values, but not what each of them does.',
  },
  'required-missing': {
    severity: 'info',
    reason: 'A model cannot tell required parameters from optional ones.',
  },
  'schema-contradicts-text': {
    severity: 'warn',
    reason: 'A model that follows the description sends a parameter that does not exist.',
  },
  'annotations-missing': {
    severity: 'info',
    reason: 'Without annotations a client must assume that the tool may be destructive.',
  },
  'output-schema-missing': {
    severity: 'info',
    reason: 'Neither a model nor an assertion can rely on the shape of the result.',
  },
  'description-unrelated': {
    severity: 'warn',
    reason: 'A description that is about something else leads a model to the wrong tool.',
  },
  'tools-confused': {
    severity: 'warn',
    reason:
      'A request in the words of one tool matches the other tool better, so a model may call the wrong tool.',
  },
  'header-parameter-invalid': {
    severity: 'error',
    reason: 'Clients must reject a tool with such an x-mcp-header, so models do not get it.',
  },
  'list-order-unstable': {
    severity: 'warn',
    reason: 'Providers cache the beginning of a prompt; a different order of tools prevents this.',
  },
  'result-over-budget': {
    severity: 'warn',
    reason:
      'A large result displaces the conversation from the context and costs tokens in every turn.',
  },
  'hidden-characters': {
    severity: 'error',
    reason: 'The model reads text that a person who approves the tool cannot see.',
  },
  'instructions-to-model': {
    severity: 'error',
    reason:
      'A description must say what the tool does; orders in it divert the model from its user.',
  },
  'shadows-tool': {
    severity: 'error',
    reason: 'One server must not decide how a model uses the tools of another.',
  },
  'destructive-unannotated': {
    severity: 'warn',
    reason:
      'A client can ask before a destructive call only if the annotations say that the tool is destructive.',
  },
  'secret-parameter': {
    severity: 'warn',
    reason: 'Arguments are stored in transcripts and sent to the model provider.',
  },
};

export interface ToolFault {
  readonly rule: LintRule;
  /** A JSON pointer into the tool. */
  readonly path: string;
  readonly message: string;
  /** Set if the severity differs from that of the rule. */
  readonly severity?: LintSeverity;
  readonly instead?: Omit<OverlayTool, 'name'>;
}

export function toolFault(
  rule: LintRule,
  path: string,
  message: string,
  instead?: ToolFault['instead'],
): ToolFault {
  return { rule, path, message, ...(instead && { instead }) };
}
