/**
 * A config to start from for each client people ask about. Names of other people's products say which client a
 * template resembles, nothing more: the prompts are ours, and the models and declared abilities are a plausible start
 * to be edited, not a claim about the product. No template names a harness, a computer or a server, so each works in
 * every project.
 */
import { assistantTemplates } from './assistant-templates.ts';
import type { ClientConfig } from './client-config.ts';
import type { Ability, ClientTemplate } from './client-template.ts';
import { type ClientTemplateId, clientTemplateIds } from './client-template-ids.ts';
import { coderTemplates } from './coder-templates.ts';
import { lexicalModelId } from './lexical-model.ts';
import { platformTemplates } from './platform-templates.ts';

export type ClientTheme = 'light' | 'dark';

export function templateConfig(id: ClientTemplateId, theme: ClientTheme = 'light'): ClientConfig {
  const template = clientTemplates[id];
  const { abilities, surface } = template;
  const showsApps = abilities.includes('apps');
  return {
    hostStyle: id,
    modelId: template.modelId,
    systemPrompt: template.systemPrompt,
    clientCapabilities: Object.assign({}, ...abilities.map((ability) => declarations[ability]())),
    hostContext: {
      theme,
      locale: 'en-US',
      platform: surface === 'web' ? 'web' : 'desktop',
      ...(showsApps ? { displayMode: 'inline', availableDisplayModes: ['inline'] } : {}),
    },
    ...(showsApps ? { respectToolVisibility: true } : {}),
    mcpProfile: {
      profileVersion: 1,
      mcpProtocolVersion: 'auto',
      paginationTraversal: 'full',
      // Only a client that can be asked something takes part in a call of several rounds.
      mrtrSupport: abilities.some((ability) => ability !== 'apps') ? 'full' : 'none',
    },
  };
}

export const clientTemplates: Readonly<Record<ClientTemplateId, ClientTemplate>> = {
  proofmark: {
    label: 'Proofmark',
    modelId: lexicalModelId,
    abilities: [],
    surface: 'terminal',
    systemPrompt: 'Use the tool that fits the request best. If none fits, say so.',
  },
  ...assistantTemplates,
  ...coderTemplates,
  ...platformTemplates,
};

/** As a list to choose from. */
export function listClientTemplates(): { id: ClientTemplateId; label: string; modelId: string }[] {
  return clientTemplateIds.map((id) => {
    const { label, modelId } = clientTemplates[id];
    return { id, label, modelId };
  });
}

/** How each ability is declared to a server; made anew each time, so that no two configs share an object. */
const declarations: Readonly<Record<Ability, () => Record<string, unknown>>> = {
  apps: () => ({
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  }),
  elicitation: () => ({ elicitation: { form: {} } }),
  roots: () => ({ roots: { listChanged: true } }),
  sampling: () => ({ sampling: {} }),
};
