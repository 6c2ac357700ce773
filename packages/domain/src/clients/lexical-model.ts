/** The built-in deterministic model. It ranks tools by their words and is not a language model. */
export const lexicalModelId = 'proofmark/lexical-1';

/** A built-in model needs no provider. */
export function isBuiltInModel(model: string): boolean {
  return model.startsWith('proofmark/');
}
