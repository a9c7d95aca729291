/** The name of a file of a scenario without its ending. */
export const stemOf = (file: string): string => file.replace(/\.(ya?ml|json)$/i, '');
