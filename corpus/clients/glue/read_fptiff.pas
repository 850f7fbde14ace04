{ FreePascal's fpReadTiff: 16 bits a sample. Broken memory is not caught: it ends the program. }
{$mode objfpc}{$H+}
program read_fptiff;

uses
  Classes, SysUtils, FPImage, FPReadTiff;

procedure Put(stream: TStream; const text: string);
begin
  if text <> '' then stream.WriteBuffer(text[1], Length(text));
end;

procedure PutSample(stream: TStream; sample: word);
begin
  stream.WriteByte(sample shr 8);
  stream.WriteByte(sample and 255);
end;

function Picture(const fileName: string): TMemoryStream;
var
  image: TFPMemoryImage;
  reader: TFPReaderTiff;
  source: TFileStream;
  x, y: integer;
  color: TFPColor;
begin
  Result := TMemoryStream.Create;
  image := TFPMemoryImage.Create(0, 0);
  reader := TFPReaderTiff.Create;
  source := nil;
  try
    source := TFileStream.Create(fileName, fmOpenRead or fmShareDenyNone);
    image.LoadFromStream(source, reader);
    Put(Result, Format('P7'#10'WIDTH %d'#10'HEIGHT %d'#10'DEPTH 4'#10'MAXVAL 65535'#10'ENDHDR'#10,
      [image.Width, image.Height]));
    for y := 0 to image.Height - 1 do
      for x := 0 to image.Width - 1 do
      begin
        color := image.Colors[x, y];
        PutSample(Result, color.red);
        PutSample(Result, color.green);
        PutSample(Result, color.blue);
        PutSample(Result, color.alpha);
      end;
  finally
    source.Free;
    reader.Free;
    image.Free;
  end;
end;

procedure Answer(output: TStream; const fileName: string);
var
  made: TMemoryStream;
begin
  try
    made := Picture(fileName);
    Put(output, Format('picture %d'#10, [made.Size]));
    output.WriteBuffer(made.Memory^, made.Size);
    made.Free;
  except
    on EExternal do raise;
    on e: Exception do Put(output, Format('refused %d'#10'%s', [Length(e.Message), e.Message]));
  end;
end;

var
  line: string;
  output: THandleStream;
begin
  if ParamCount = 2 then
  begin
    try
      Picture(ParamStr(1)).SaveToFile(ParamStr(2));
    except
      on EExternal do raise;
      on e: Exception do
      begin
        WriteLn(StdErr, e.Message);
        Halt(1);
      end;
    end;
    Exit;
  end;
  output := THandleStream.Create(StdOutputHandle);
  Put(output, 'ready'#10);
  while not Eof(Input) do
  begin
    ReadLn(line);
    Answer(output, Copy(line, Pos(' ', line) + 1, Length(line)));
  end;
end.
