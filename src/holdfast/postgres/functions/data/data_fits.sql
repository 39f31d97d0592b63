-- Whether a number can be written down: at most a thousand digits, a leading zero not counted.
CREATE OR REPLACE FUNCTION holdfast.data_fits(number numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN octet_length(translate(trim_scale(abs(number))::text, '.', '')) - (abs(number) < 1)::integer <= 1000;
