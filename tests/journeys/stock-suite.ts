/** A suite file of one case; `lookFor` is the text that its assertion searches for. */
export const stockSuite = (lookFor: string) => `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: stock, name: Stock }
target: { servers: [{ name: stock-room }] }
defaults: { model: proofmark/lexical-1, repetitions: 1, passThreshold: 1, validity: {} }
cases:
  - id: pens
    title: Counts pens
    steps: [{ id: ask, kind: prompt, prompt: Count the stock of pens }]
    ${lookFor}
`;
