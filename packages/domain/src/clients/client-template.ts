/** What tells one template from another. */
export interface ClientTemplate {
  readonly label: string;
  readonly modelId: string;
  /** What a server may ask of the client beyond calling tools. */
  readonly abilities: readonly Ability[];
  readonly surface: 'desktop' | 'terminal' | 'web';
  readonly systemPrompt: string;
}

/** `apps` is showing what a tool draws; the others are requests a server can make. */
export type Ability = 'apps' | 'elicitation' | 'roots' | 'sampling';
