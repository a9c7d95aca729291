export const sweep = {};
