/** The deterministic host that is built in: it ranks tools by their words and is no language model. */
export const lexicalModelId = 'proofmark/lexical-1';
