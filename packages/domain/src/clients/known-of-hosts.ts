/**
 * What is known of the products that templates are named after, with the date of the source. It is
 * shown beside the templates and never used: a template is a start for editing. What no source
 * states is not known, and nothing is guessed.
 */
import { allOf } from '../kernel/plain-words.ts';
import type { ClientTemplateId } from './client-template-ids.ts';

interface Source {
  readonly name: string;
  /** When it was published. */
  readonly date: string;
}

/** `handshakes`: what clients stated in `initialize`. `widgets`: the hosts that render widgets. */
export const sourcesOfHosts = {
  handshakes: { name: '`mcp-client-capabilities` 0.0.14', date: '2026-03-23' },
  widgets: { name: '`@modelcontextprotocol/ext-apps` 2.0.4', date: '2026-10-27' },
} as const satisfies Record<string, Source>;

export const hostAbilities = ['elicitation', 'roots', 'sampling', 'tasks'] as const;
export type HostAbility = (typeof hostAbilities)[number];

export interface KnownOfHost {
  /** The revision that the product stated, and the abilities that it declared. */
  readonly handshake?: {
    readonly revision: string;
    readonly abilities: readonly HostAbility[];
  };
  readonly showsWidgets?: true;
}

export const knownOfHosts: Readonly<Record<ClientTemplateId, KnownOfHost>> = {
  proofmark: {},
  claude: { handshake: { revision: '2025-06-18', abilities: [] }, showsWidgets: true },
  'claude-code': { handshake: { revision: '2025-06-18', abilities: ['roots'] } },
  chatgpt: { handshake: { revision: '2025-06-18', abilities: [] }, showsWidgets: true },
  mistral: {
    handshake: { revision: '2025-06-18', abilities: ['elicitation', 'roots', 'sampling'] },
  },
  goose: { handshake: { revision: '2025-03-26', abilities: [] }, showsWidgets: true },
  slack: {},
  cursor: { handshake: { revision: '2025-06-18', abilities: ['elicitation', 'roots'] } },
  codex: { handshake: { revision: '2025-06-18', abilities: ['elicitation'] } },
  copilot: {},
  vscode: {
    handshake: { revision: '2025-06-18', abilities: ['elicitation', 'roots', 'sampling', 'tasks'] },
    showsWidgets: true,
  },
  agentcore: {},
  n8n: { handshake: { revision: '2025-06-18', abilities: [] } },
  perplexity: {},
  cline: { handshake: { revision: '2025-06-18', abilities: [] } },
  notion: {},
};

/** Undefined for our own template. */
export function knownOfHost(id: ClientTemplateId): string | undefined {
  if (id === 'proofmark') return undefined;
  const { handshake, showsWidgets } = knownOfHosts[id];
  const { handshakes, widgets } = sourcesOfHosts;
  const declared = handshake && (allOf(handshake.abilities) || 'no abilities');
  const known = [
    ...(handshake === undefined
      ? []
      : [`revision ${handshake.revision} with ${declared} (${handshakes.date})`]),
    ...(showsWidgets ? [`widgets (${widgets.date})`] : []),
  ];
  return known.length === 0
    ? 'Nothing is known of its protocol.'
    : `Known of the product: ${known.join('; ')}.`;
}
