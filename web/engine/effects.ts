export const effects = {};
