export interface ClientTemplate {
  readonly label: string;
  readonly modelId: string;
  readonly abilities: readonly Ability[];
  readonly surface: 'desktop' | 'terminal' | 'web';
  readonly systemPrompt: string;
}

/**
 * An optional ability of a client. `apps` means rendering widgets; the other abilities are answers
 * to requests that a server can send.
 */
export type Ability = 'apps' | 'elicitation' | 'roots' | 'sampling';
