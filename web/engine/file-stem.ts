/** The name of a file of a scenario without its ending. */
export const getFileStem = (file: string): string => file.replace(/\.(ya?ml|json)$/i, '');
