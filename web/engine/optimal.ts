export const optimal = {};
